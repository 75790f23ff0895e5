local bit = bit or dofile((arg[0]:match("^(.*/)") or "") .. "../lib/bit54.lua")
local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local band, bor, bxor, lshift, rshift, arshift = bit.band, bit.bor, bit.bxor, bit.lshift, bit.rshift, bit.arshift
local RECORDS, FIELDS = 1000, 7
local VARINT, ZIGZAG, BOOLEAN, FIXED, TEXT, DELTA = 0, 1, 2, 3, 4, 5

local kinds = { [0] = DELTA, FIXED, BOOLEAN, VARINT, TEXT, ZIGZAG, BOOLEAN }

local function put_varint(out, at, v)
  while v >= 128 do
    out[at] = bor(band(v, 127), 128)
    at = at + 1
    v = rshift(v, 7)
  end
  out[at] = v
  return at + 1
end

local function write_records(kinds, values, names, out)
  local at, before = 0, 0
  for r = 0, RECORDS - 1 do
    for f = 0, FIELDS - 1 do
      local value, kind = values[r * FIELDS + f], kinds[f]
      out[at] = bor(lshift(f, 3), kind)
      at = at + 1
      if kind == VARINT then
        at = put_varint(out, at, value)
      elseif kind == ZIGZAG then
        at = put_varint(out, at, bxor(lshift(value, 1), arshift(value, 31)))
      elseif kind == BOOLEAN then
        out[at] = band(value, 1)
        at = at + 1
      elseif kind == FIXED then
        out[at] = band(value, 255)
        out[at + 1] = band(rshift(value, 8), 255)
        out[at + 2] = band(rshift(value, 16), 255)
        out[at + 3] = rshift(value, 24)
        at = at + 4
      elseif kind == TEXT then
        out[at] = 8
        at = at + 1
        for i = 0, 7 do out[at + i] = names[value * 8 + i] end
        at = at + 8
      elseif kind == DELTA then
        at = put_varint(out, at, value - before)
        before = value
      end
    end
  end
  return at
end

local function bench(n)
  local values, names, out = {}, {}, {}
  for r = 0, RECORDS - 1 do
    local to = r * FIELDS
    values[to] = r * 3 + rnd(3)
    values[to + 1] = lcg()
    values[to + 2] = rnd(2)
    values[to + 3] = 20 + rnd(60)
    values[to + 4] = rnd(16)
    values[to + 5] = rnd(100) - 50
    values[to + 6] = rnd(2)
  end
  for i = 0, 127 do names[i] = 97 + rnd(26) end
  for i = 0, RECORDS * FIELDS * 10 - 1 do out[i] = 0 end
  local sum = 0
  for _ = 1, n do
    local at = rnd(RECORDS) * FIELDS + 3
    values[at] = rnd(80)
    local size = write_records(kinds, values, names, out)
    sum = (sum * 31 + size + out[rnd(size)]) % 4294967296
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 20000))))
