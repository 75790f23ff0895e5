local bit = bit or dofile((arg[0]:match("^(.*/)") or "") .. "../lib/bit54.lua")
local floor, min = math.floor, math.min
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local band, bor, lshift, rshift = bit.band, bit.bor, bit.lshift, bit.rshift
local SIZE = 32768
local steps = {
  [0] = 7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28,
  31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107, 118,
  130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494,
  544, 598, 658, 724, 796, 876, 963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066,
  2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630,
  9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
}
local moves = {[0] = -1, -1, -1, -1, 2, 4, 6, 8}

local function generate(pcm)
  local i = 0
  while i < SIZE do
    local kind = rnd(8)
    local stop = min(i + 500 + rnd(2000), SIZE)
    local half = 4 + rnd(60)
    local slope = 1 + rnd(200)
    local up, count, v = true, 0, 0
    while i < stop do
      if kind == 6 then
        v = slope * 16 - rnd(slope * 32)
      elseif kind >= 4 then
        if kind == 5 then v = up and slope or -slope else v = v + (up and slope or -slope) end
        count = count + 1
        if count == half then
          count = 0
          up = not up
        end
      end
      pcm[i] = v
      i = i + 1
    end
  end
end

local function encode(pcm, coded)
  local value, index = 0, 0
  for i = 0, SIZE - 1 do
    local step = steps[index]
    local diff, code, delta = pcm[i] - value, 0, rshift(step, 3)
    if diff < 0 then
      code = 8
      diff = -diff
    end
    if diff >= step then
      code = code + 4
      diff = diff - step
      delta = delta + step
    end
    step = rshift(step, 1)
    if diff >= step then
      code = code + 2
      diff = diff - step
      delta = delta + step
    end
    step = rshift(step, 1)
    if diff >= step then
      code = code + 1
      delta = delta + step
    end
    if code >= 8 then value = value - delta else value = value + delta end
    if value > 32767 then value = 32767 elseif value < -32768 then value = -32768 end
    index = index + moves[band(code, 7)]
    if index < 0 then index = 0 elseif index > 88 then index = 88 end
    local at = rshift(i, 1)
    if band(i, 1) == 0 then coded[at] = code else coded[at] = bor(coded[at], lshift(code, 4)) end
  end
end

local function decode(coded, start)
  local value, index, hash = 0, 0, start
  for i = 0, SIZE - 1 do
    local code = coded[rshift(i, 1)]
    if band(i, 1) == 0 then code = band(code, 15) else code = rshift(code, 4) end
    local step = steps[index]
    local delta = rshift(step, 3)
    if band(code, 4) ~= 0 then delta = delta + step end
    if band(code, 2) ~= 0 then delta = delta + rshift(step, 1) end
    if band(code, 1) ~= 0 then delta = delta + rshift(step, 2) end
    if code >= 8 then value = value - delta else value = value + delta end
    if value > 32767 then value = 32767 elseif value < -32768 then value = -32768 end
    index = index + moves[band(code, 7)]
    if index < 0 then index = 0 elseif index > 88 then index = 88 end
    hash = (hash * 31 + value) % 16777216
  end
  return hash
end

local function bench(n)
  local pcm, coded = {}, {}
  for i = 0, SIZE / 2 - 1 do coded[i] = 0 end
  generate(pcm)
  local sum = 0
  for r = 0, n - 1 do
    pcm[r * 977 % 1024] = r % 256
    encode(pcm, coded)
    sum = decode(coded, sum)
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 2000))))
