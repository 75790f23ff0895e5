local bit = bit or dofile((arg[0]:match("^(.*/)") or "") .. "../lib/bit54.lua")
local floor, min = math.floor, math.min
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local band, bor, lshift, rshift = bit.band, bit.bor, bit.lshift, bit.rshift
local SIZE = 49152

local function put(out, at, c)
  if c < 0x80 then
    out[at] = c
    return at + 1
  end
  if c < 0x800 then
    out[at] = bor(0xC0, rshift(c, 6))
    out[at + 1] = bor(0x80, band(c, 63))
    return at + 2
  end
  out[at] = bor(0xE0, rshift(c, 12))
  out[at + 1] = bor(0x80, band(rshift(c, 6), 63))
  out[at + 2] = bor(0x80, band(c, 63))
  return at + 3
end

local function generate(data)
  local size, script = 0, 0
  while size < SIZE do
    local stop = min(SIZE, size + 3000 + rnd(6000))
    while size < stop do
      local c
      if script == 0 then c = 32 + rnd(95)
      elseif script == 1 then c = 0x410 + rnd(64)
      else c = 0x4E00 + rnd(8000)
      end
      size = put(data, size, c)
    end
    script = (script + 1) % 3
  end
  return size
end

local function decode(src, size, found)
  local need, code = 0, 0
  for i = 0, size - 1 do
    local b = src[i]
    if need == 0 then
      if b < 0x80 then
        found.letters = found.letters + 1
        found.sum = (found.sum + b) % 0x10000000
      elseif b < 0xC0 then
        found.bad = found.bad + 1
      elseif b < 0xE0 then
        need = 1
        code = band(b, 31)
      elseif b < 0xF0 then
        need = 2
        code = band(b, 15)
      else
        found.bad = found.bad + 1
      end
    elseif band(b, 0xC0) == 0x80 then
      code = bor(lshift(code, 6), band(b, 63))
      need = need - 1
      if need == 0 then
        found.letters = found.letters + 1
        found.sum = (found.sum + code) % 0x10000000
      end
    else
      found.bad = found.bad + 1
      need = 0
    end
  end
end

local function bench(n)
  local data = {}
  local size = generate(data)
  local found = { letters = 0, bad = 0, sum = 0 }
  for _ = 1, n do decode(data, size, found) end
  return (found.sum * 31 + found.letters + found.bad * 7) % 4294967296
end

print(string.format("%d", bench(tonumber(arg[1] or 8000))))
