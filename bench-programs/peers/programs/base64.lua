local bit = bit or dofile((arg[0]:match("^(.*/)") or "") .. "../lib/bit54.lua")
local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local band, bor, lshift, rshift = bit.band, bit.bor, bit.lshift, bit.rshift
local SIZE, LINE = 24576, 76
local letters = {}
for i = 0, 63 do
  letters[i] = ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"):byte(i + 1)
end

local function encode(c, src, size, dst)
  local out = 0
  for i = 0, size - 1 do
    local b = src[i]
    if c.state == 0 then
      dst[out] = letters[rshift(b, 2)]
      out = out + 1
      c.rest = lshift(band(b, 3), 4)
      c.state = 1
    elseif c.state == 1 then
      dst[out] = letters[bor(c.rest, rshift(b, 4))]
      out = out + 1
      c.rest = lshift(band(b, 15), 2)
      c.state = 2
    else
      dst[out] = letters[bor(c.rest, rshift(b, 6))]
      dst[out + 1] = letters[band(b, 63)]
      out = out + 2
      c.state = 0
      c.column = c.column + 4
      if c.column == LINE then
        dst[out] = 10
        out = out + 1
        c.column = 0
      end
    end
  end
  return out
end

local function decode(c, values, src, size, dst)
  local out = 0
  for i = 0, size - 1 do
    local v = values[src[i]]
    if v >= 0 then
      if c.state == 0 then
        c.rest = lshift(v, 2)
        c.state = 1
      elseif c.state == 1 then
        dst[out] = bor(c.rest, rshift(v, 4))
        out = out + 1
        c.rest = lshift(band(v, 15), 4)
        c.state = 2
      elseif c.state == 2 then
        dst[out] = bor(c.rest, rshift(v, 2))
        out = out + 1
        c.rest = lshift(band(v, 3), 6)
        c.state = 3
      else
        dst[out] = bor(c.rest, v)
        out = out + 1
        c.state = 0
      end
    end
  end
  return out
end

local function bench(n)
  local data, values, coded, back = {}, {}, {}, {}
  for i = 0, SIZE - 1 do data[i] = rnd(256) end
  for i = 0, 255 do values[i] = -1 end
  for i = 0, 63 do values[letters[i]] = i end
  for i = 0, SIZE * 2 - 1 do coded[i] = 0 end
  for i = 0, SIZE + 3 do back[i] = 0 end
  local sum = 0
  for _ = 1, n do
    local at = rnd(SIZE)
    data[at] = rnd(256)
    local size = encode({ state = 0, rest = 0, column = 0 }, data, SIZE, coded)
    local read = decode({ state = 0, rest = 0, column = 0 }, values, coded, size, back)
    local letter = coded[rnd(size)]
    sum = (sum * 31 + size + read + letter + back[rnd(read)]) % 4294967296
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 8000))))
