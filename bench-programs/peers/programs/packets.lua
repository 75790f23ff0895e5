local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local MAX = 65536
local SYNC, KIND, SEQ, SIZE, DATA, TEXT, HIGH, MIDDLE, LOW, CHECK = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9

local function generate(stream)
  local at, phase, left, number = 0, 0, 0, 0
  local function put(c)
    stream[at] = c % 256
    at = at + 1
  end
  while at < MAX - 4000 do
    if left == 0 then
      phase = rnd(4)
      left = phase == 0 and 1000 + rnd(2000) or 4 + rnd(8)
    end
    left = left - 1
    local kind = rnd(20) == 0 and rnd(4) or phase
    local blocks = kind == 0 and 0 or 1 + rnd(255)
    local check = kind + number
    put(0x7E)
    put(kind)
    put(number)
    if kind > 0 then
      put(blocks)
      check = check + blocks
    end
    local value = rnd(65536)
    for i = 0, blocks * 12 - 1 do
      local c
      if kind == 1 then c = rnd(256)
      elseif kind == 2 then c = rnd(6) == 0 and 32 or 97 + rnd(26)
      elseif i % 3 == 0 then
        value = value + rnd(100) - 50
        c = floor(value / 65536)
      elseif i % 3 == 1 then c = floor(value / 256)
      else c = value
      end
      put(c)
      check = check + c
    end
    put(rnd(50) == 0 and check + 1 or check)
    if rnd(30) == 0 then put(rnd(100)) end
    number = number + 1
  end
  return at
end

local function parse(stream, stop, start)
  local state, kind, left, check, value = SYNC, 0, 0, 0, 0
  local acks, good, bad, lost, words, hash = 0, 0, 0, 0, 0, start
  for i = 0, stop - 1 do
    local c = stream[i]
    if state == SYNC then
      if c == 0x7E then state = KIND else lost = lost + 1 end
    elseif state == KIND then
      kind = c
      check = c
      state = SEQ
    elseif state == SEQ then
      check = check + c
      if kind == 0 then
        acks = acks + 1
        state = CHECK
      else
        state = SIZE
      end
    elseif state == SIZE then
      check = check + c
      left = c * 12
      if kind == 1 then state = DATA elseif kind == 2 then state = TEXT else state = HIGH end
    elseif state == DATA then
      check = check + c
      hash = (hash * 31 + c) % 16777216
      left = left - 1
      if left == 0 then state = CHECK end
    elseif state == TEXT then
      check = check + c
      if c == 32 then words = words + 1 else hash = (hash * 33 + c) % 16777216 end
      left = left - 1
      if left == 0 then state = CHECK end
    elseif state == HIGH then
      check = check + c
      value = c * 65536
      state = MIDDLE
    elseif state == MIDDLE then
      check = check + c
      value = value + c * 256
      state = LOW
    elseif state == LOW then
      check = check + c
      hash = (hash + value + c) % 16777216
      left = left - 3
      if left == 0 then state = CHECK else state = HIGH end
    else
      if c == check % 256 then good = good + 1 else bad = bad + 1 end
      state = SYNC
    end
  end
  return (acks * 3 + good * 5 + bad * 7 + lost * 11 + words * 13 + hash) % 16777216
end

local function bench(n)
  local stream = {}
  local stop, sum = generate(stream), 0
  for r = 0, n - 1 do sum = parse(stream, stop, (sum + r) % 16777216) end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 8000))))
