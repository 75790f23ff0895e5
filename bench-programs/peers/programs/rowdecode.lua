local bit = bit or dofile((arg[0]:match("^(.*/)") or "") .. "../lib/bit54.lua")
local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local band, bor, bxor, lshift, rshift = bit.band, bit.bor, bit.bxor, bit.lshift, bit.rshift
local ROWS, FIELDS = 1000, 8
local PLAIN, SIGNED, DELTA, RUN, FIXED, TEXT = 0, 1, 2, 3, 4, 5
local last, left = {}, {}

local function put(t, b)
  t.data[t.size] = b
  t.size = t.size + 1
end

local function put_plain(t, n)
  while n >= 128 do
    put(t, n % 128 + 128)
    n = rshift(n, 7)
  end
  put(t, n)
end

local function put_field(t, f)
  local kind = t.schema[f]
  if kind == PLAIN then
    if rnd(8) == 0 then put_plain(t, rnd(5000)) else put_plain(t, rnd(128)) end
  elseif kind == SIGNED then
    put_plain(t, rnd(6000))
  elseif kind == DELTA then
    put_plain(t, rnd(40))
  elseif kind == RUN then
    if left[f] == 0 then
      left[f] = 10 + rnd(40)
      put_plain(t, left[f])
      put_plain(t, rnd(5))
    end
    left[f] = left[f] - 1
  elseif kind == FIXED then
    for i = 0, 3 do
      if i < 3 then put(t, rnd(256)) else put(t, 0) end
    end
  else
    local length = 4 + rnd(3) * rnd(3)
    put_plain(t, length)
    for _ = 1, length do put(t, 97 + rnd(26)) end
  end
end

local function encode(schema, absent)
  local t = { schema = schema, data = {}, size = 0 }
  for f = 0, FIELDS - 1 do left[f] = 0 end
  for _ = 1, ROWS do
    local start = t.size
    put(t, 0)
    for f = 0, FIELDS - 1 do
      if rnd(100) < absent[f] then t.data[start] = bor(t.data[start], lshift(1, f)) else put_field(t, f) end
    end
  end
  return t
end

local function plain(r)
  local value, shift = 0, 0
  while true do
    local b = r.data[r.pos]
    r.pos = r.pos + 1
    value = bor(value, lshift(band(b, 127), shift))
    if b < 128 then return value end
    shift = shift + 7
  end
end

local function signed(r)
  local n = plain(r)
  return bxor(rshift(n, 1), -band(n, 1))
end

local function fixed(r)
  local data, pos = r.data, r.pos
  r.pos = pos + 4
  return bor(bor(data[pos], lshift(data[pos + 1], 8)), bor(lshift(data[pos + 2], 16), lshift(data[pos + 3], 24)))
end

local function run(r, f)
  if left[f] == 0 then
    left[f] = plain(r)
    last[f] = plain(r)
  end
  left[f] = left[f] - 1
  return last[f]
end

local function delta(r, f)
  last[f] = last[f] + signed(r)
  return last[f]
end

local function text_hash(r)
  local hash = 0
  for _ = 1, plain(r) do
    hash = (hash * 31 + r.data[r.pos]) % 16777216
    r.pos = r.pos + 1
  end
  return hash
end

local function decode(t, columns)
  local r, schema, absent_fields = { data = t.data, pos = 0 }, t.schema, 0
  for f = 0, FIELDS - 1 do last[f], left[f] = 0, 0 end
  for row = 0, ROWS - 1 do
    local absent = r.data[r.pos]
    r.pos = r.pos + 1
    for f = 0, FIELDS - 1 do
      if band(rshift(absent, f), 1) == 1 then
        absent_fields = absent_fields + 1
        columns[f][row] = -1
      else
        local kind = schema[f]
        if kind == PLAIN then columns[f][row] = plain(r)
        elseif kind == SIGNED then columns[f][row] = signed(r)
        elseif kind == DELTA then columns[f][row] = delta(r, f)
        elseif kind == RUN then columns[f][row] = run(r, f)
        elseif kind == FIXED then columns[f][row] = fixed(r)
        else columns[f][row] = text_hash(r)
        end
      end
    end
  end
  return absent_fields + r.pos
end

local function bench(n)
  local tables = {
    encode(
      { [0] = DELTA, DELTA, RUN, SIGNED, FIXED, TEXT, RUN, PLAIN },
      { [0] = 0, 0, 0, 3, 0, 0, 0, 5 }
    ),
    encode(
      { [0] = DELTA, RUN, SIGNED, SIGNED, SIGNED, FIXED, PLAIN, PLAIN },
      { [0] = 0, 0, 0, 0, 2, 0, 0, 0 }
    ),
  }
  local columns, sum = {}, 0
  for f = 0, FIELDS - 1 do
    columns[f] = {}
    for row = 0, ROWS - 1 do columns[f][row] = 0 end
  end
  for k = 1, 2 do
    for r = 0, n - 1 do
      sum = sum + decode(tables[k], columns)
      for f = 0, FIELDS - 1 do sum = sum + columns[f][r % ROWS] end
    end
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 13000))))
