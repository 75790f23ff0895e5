local bit = bit or dofile((arg[0]:match("^(.*/)") or "") .. "../lib/bit54.lua")
local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local band, bor, bxor, lshift, rshift = bit.band, bit.bor, bit.bxor, bit.lshift, bit.rshift
local FRAMES, SAMPLES = 2048, 4
local IDLE, START, DATA, PARITY, STOP = 0, 1, 2, 3, 4

local function receive(p, line, size)
  for i = 0, size - 1 do
    local level = line[i]
    if p.wait > 0 then
      p.wait = p.wait - 1
    elseif p.state == DATA then
      p.shift = bor(rshift(p.shift, 1), lshift(level, 7))
      p.parity = bxor(p.parity, level)
      p.bits = p.bits + 1
      if p.bits == 8 then p.state = PARITY end
      p.wait = SAMPLES - 1
    elseif p.state == IDLE then
      if level == 0 then
        p.state = START
        p.wait = floor(SAMPLES / 2) - 1
      end
    elseif p.state == START then
      if level == 0 then
        p.state = DATA
        p.bits = 0
        p.shift = 0
        p.parity = 0
        p.wait = SAMPLES - 1
      else
        p.state = IDLE
      end
    elseif p.state == PARITY then
      if p.parity ~= level then p.errors = p.errors + 1 end
      p.state = STOP
      p.wait = SAMPLES - 1
    elseif p.state == STOP then
      if level == 1 then
        p.got = p.got + 1
        p.sum = (p.sum * 31 + p.shift) % 16777216
      else
        p.errors = p.errors + 1
      end
      p.state = IDLE
    end
  end
end

local function popcount(x)
  local ones = 0
  while x ~= 0 do
    x = band(x, x - 1)
    ones = ones + 1
  end
  return ones
end

local function generate(line)
  for i = 0, FRAMES * 13 * SAMPLES - 1 do line[i] = 1 end
  local at = 0
  for _ = 1, FRAMES do
    local byte = rnd(256)
    local odd = popcount(byte) % 2
    for b = 0, 10 do
      local level = 1
      if b == 0 then level = 0
      elseif b <= 8 then level = band(rshift(byte, b - 1), 1)
      elseif b == 9 then level = odd
      end
      for _ = 1, SAMPLES do
        line[at] = level
        at = at + 1
      end
    end
    if rnd(16) == 0 then at = at + rnd(8) end
  end
  return at
end

local function bench(n)
  local line = {}
  local size = generate(line)
  local p = { state = IDLE, wait = 0, bits = 0, shift = 0, parity = 0, got = 0, errors = 0, sum = 0 }
  for _ = 1, n do receive(p, line, size) end
  return (p.sum * 31 + p.got * 7 + p.errors) % 4294967296
end

print(string.format("%d", bench(tonumber(arg[1] or 8000))))
