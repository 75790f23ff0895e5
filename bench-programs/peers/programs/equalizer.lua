local abs, floor = math.abs, math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local BLOCK, BANDS = 1024, 5
local GAIN, LOWPASS, HIGHPASS, PEAK, LIMIT = 0, 1, 2, 3, 4

local function band(kind, amount) return { kind = kind, amount = amount, last = 0.0, before = 0.0 } end

local function sample() return (rnd(2000) - 1000) / 1000 end

local function equalize(bands, samples)
  local sum = 0.0
  for i = 0, BLOCK - 1 do
    local x = samples[i]
    for k = 1, BANDS do
      local b = bands[k]
      local kind = b.kind
      if kind == GAIN then
        x = x * b.amount
      elseif kind == LOWPASS then
        b.last = b.last + (x - b.last) * b.amount
        x = b.last
      elseif kind == HIGHPASS then
        b.last = b.last + (x - b.last) * b.amount
        x = x - b.last
      elseif kind == PEAK then
        local y = x + b.amount * (b.last - b.before * 0.5)
        b.before = b.last
        b.last = y * 0.5
        x = y
      elseif kind == LIMIT then
        if x > b.amount then x = b.amount elseif x < -b.amount then x = -b.amount end
      end
    end
    sum = sum + abs(x)
  end
  return sum
end

local function bench(n)
  local bands = {
    band(GAIN, 0.875), band(HIGHPASS, 0.03125), band(PEAK, 0.25), band(LOWPASS, 0.375), band(LIMIT, 0.9375),
  }
  local samples = {}
  for i = 0, BLOCK - 1 do samples[i] = sample() end
  local sum = 0.0
  for _ = 1, n do
    local at = rnd(BLOCK)
    samples[at] = sample()
    sum = sum + equalize(bands, samples)
  end
  return floor(sum * 1000)
end

print(string.format("%d", bench(tonumber(arg[1] or 40000))))
