local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local max = math.max
local SIZE = 65536
local VALUE, VALUE_OR_END, KEY, KEY_OR_END, COLON, COMMA_OR_END = 0, 1, 2, 3, 4, 5

local function put(d, s)
  for i = 1, #s do d.data[d.size + i - 1] = s:byte(i) end
  d.size = d.size + #s
end

local function records()
  local d = { data = {}, size = 0 }
  local names, stock = { "anna", "Bob \\\"B\\\"", "carla m." }, { "true", "true", "false", "null" }
  put(d, "[")
  while d.size < SIZE do
    if d.size > 1 then put(d, ",\n") end
    put(d, "{\"id\": " .. rnd(100000) .. ", \"name\": \"" .. names[rnd(3) + 1])
    put(d, "\", \"price\": " .. rnd(1000) .. "." .. 10 + rnd(90) .. ", \"tags\": [")
    for t = 1, rnd(3) do put(d, t == 1 and "\"new\"" or ", \"on sale\"") end
    put(d, "], \"stock\": " .. stock[rnd(4) + 1] .. "}")
  end
  put(d, "]\n")
  return d
end

local function numbers()
  local d = { data = {}, size = 0 }
  put(d, "{\"rows\": [")
  while d.size < SIZE do
    put(d, d.size > 10 and ",\n[" or "[")
    for i = 1, 8 do
      put(d, i > 1 and ", " or "")
      put(d, tostring(rnd(20000) - 1000))
    end
    put(d, "]")
  end
  put(d, "]}\n")
  return d
end

local function string_end(d, from)
  local data, size, i = d.data, d.size, from
  while i < size do
    local c = data[i]
    if c == 34 then return i + 1 end
    if c < 32 then return -1 end
    i = i + (c == 92 and 2 or 1)
  end
  return -1
end

local function skip_digits(d, from)
  local data, i = d.data, from
  while data[i] >= 48 and data[i] <= 57 do i = i + 1 end
  return i
end

local function check(d, open, t)
  local data, size, depth, state, i = d.data, d.size, 0, VALUE, 0
  while i < size do
    local c = data[i]
    if c == 32 or c == 10 then
      i = i + 1
    elseif c == 123 or c == 91 then -- { [
      if state > VALUE_OR_END then return i end
      open[depth] = c
      depth = depth + 1
      t.deepest = max(t.deepest, depth)
      state = c == 123 and KEY_OR_END or VALUE_OR_END
      i = i + 1
    elseif c == 125 or c == 93 then -- } ]
      if depth == 0 or open[depth - 1] ~= c - 2 then return i end
      if state ~= COMMA_OR_END and state ~= VALUE_OR_END and state ~= KEY_OR_END then return i end
      depth = depth - 1
      state = COMMA_OR_END
      i = i + 1
    elseif c == 44 then -- ,
      if state ~= COMMA_OR_END or depth == 0 then return i end
      state = open[depth - 1] == 123 and KEY or VALUE
      i = i + 1
    elseif c == 58 then -- :
      if state ~= COLON then return i end
      state = VALUE
      i = i + 1
    elseif c == 34 then -- "
      if state > KEY_OR_END then return i end
      local stop = string_end(d, i + 1)
      if stop < 0 then return i end
      for k = i + 1, stop - 2 do t.hash = (t.hash * 31 + data[k]) % 16777216 end
      if state <= VALUE_OR_END then
        t.strings = t.strings + 1
        state = COMMA_OR_END
      else
        t.keys = t.keys + 1
        state = COLON
      end
      i = stop
    elseif (c >= 48 and c <= 57) or c == 45 then -- 0..9 -
      if state > VALUE_OR_END then return i end
      local stop = skip_digits(d, c == 45 and i + 1 or i)
      if data[stop] == 46 then stop = skip_digits(d, stop + 1) end
      t.numbers = t.numbers + stop - i
      state = COMMA_OR_END
      i = stop
    elseif c == 116 or c == 102 or c == 110 then -- t f n
      if state > VALUE_OR_END then return i end
      local word = c == 116 and "true" or c == 102 and "false" or "null"
      for k = 1, #word do
        if data[i + k - 1] ~= word:byte(k) then return i end
      end
      t.words = t.words + 1
      state = COMMA_OR_END
      i = i + #word
    else
      return i
    end
  end
  return depth == 0 and size or i
end

local function bench(n)
  local t = { strings = 0, keys = 0, numbers = 0, words = 0, deepest = 0, hash = 0 }
  local documents, open, sum = { records(), numbers() }, {}, 0
  for k = 1, 2 do
    for _ = 1, n do sum = sum + check(documents[k], open, t) end
  end
  return sum + t.strings * 3 + t.keys * 5 + t.numbers * 7 + t.words * 11 + t.deepest + t.hash
end

print(string.format("%d", bench(tonumber(arg[1] or 2000))))
