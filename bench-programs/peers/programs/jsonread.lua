local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local SIZE, DEPTH = 65536, 64
local BETWEEN, NUMBER, STRING, ESCAPE, WORD = 0, 1, 2, 3, 4

local buf, len = {}, 0

local function put(c)
  buf[len] = c
  len = len + 1
end

local function put_all(s)
  for i = 1, #s do put(s:byte(i)) end
end

local function put_number(m)
  put(49 + rnd(9))
  for _ = 2, m do put(48 + rnd(10)) end
end

local function put_samples()
  put(91)
  for _ = 1, 800 + rnd(800) do
    put_number(3)
    put(44)
  end
  put_number(3)
  put(93)
end

local function put_text()
  put(34)
  for _ = 1, 1000 + rnd(3000) do
    if rnd(200) == 0 then put_all("\\n") else put(97 + rnd(26)) end
  end
  put(34)
end

local function put_records()
  put(91)
  for _ = 1, 20 + rnd(60) do
    put_all("{\"id\":")
    put_number(4)
    put_all(",\"name\":\"")
    for _ = 1, 3 + rnd(8) do put(97 + rnd(26)) end
    put_all(rnd(4) == 0 and "\",\"on\":false," or "\",\"on\":true,")
    put_all("\"at\":-")
    put_number(1 + rnd(5))
    put_all("},")
  end
  put_all("null]")
end

local function put_nest()
  for _ = 1, 20 + rnd(40) do
    local depth = 4 + rnd(20)
    for _ = 1, depth do put(91) end
    put_number(2)
    for _ = 1, depth do put(93) end
    put(44)
  end
  put_all("{}")
end

local function generate()
  len = 0
  put(91)
  while len < SIZE do
    local kind = rnd(4)
    if kind == 0 then put_samples()
    elseif kind == 1 then put_text()
    elseif kind == 2 then put_records()
    else put_nest()
    end
    put(44)
  end
  put_all("0]\n")
end

local function read(src, stack, r)
  local state, depth, expects_key, in_key, negative, number, hash = BETWEEN, 0, false, false, false, 0, r % 65536
  local sum, strings, keys, words, deepest = 0, 0, 0, 0, 0
  for i = 0, len - 1 do
    local c, fresh = src[i], true
    if state == NUMBER then
      if c >= 48 and c <= 57 then
        number = (number * 10 + c - 48) % 16777216
        fresh = false
      else
        if negative then sum = sum - number else sum = sum + number end
        negative = false
        state = BETWEEN
      end
    elseif state == STRING then
      if c == 92 then
        state = ESCAPE
      elseif c == 34 then
        if in_key then keys = keys + 1 else strings = strings + 1 end
        state = BETWEEN
      else
        hash = (hash * 31 + c) % 16777216
      end
      fresh = false
    elseif state == ESCAPE then
      hash = (hash * 33 + c) % 16777216
      state = STRING
      fresh = false
    elseif state == WORD then
      if c >= 97 and c <= 122 then
        fresh = false
      else
        words = words + 1
        state = BETWEEN
      end
    end
    if fresh then
      if c >= 48 and c <= 57 then
        number = c - 48
        state = NUMBER
      elseif c == 44 then
        expects_key = stack[depth] == 123
      elseif c == 34 then
        in_key = expects_key
        state = STRING
      elseif c == 58 then
        expects_key = false
      elseif c == 91 or c == 123 then
        depth = depth + 1
        stack[depth] = c
        expects_key = c == 123
        if depth > deepest then deepest = depth end
      elseif c == 93 or c == 125 then
        depth = depth - 1
      elseif c == 45 then
        negative = true
      elseif c >= 97 and c <= 122 then
        state = WORD
      end
    end
  end
  return sum + hash + strings * 3 + keys * 5 + words * 7 + deepest * 11
end

local function bench(n)
  generate()
  local stack = {}
  for i = 0, DEPTH - 1 do stack[i] = 0 end
  local total = 0
  for r = 0, n - 1 do total = total + read(buf, stack, r) end
  return total
end

print(string.format("%d", bench(tonumber(arg[1] or 4500))))
