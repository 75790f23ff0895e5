local bit = bit or dofile((arg[0]:match("^(.*/)") or "") .. "../lib/bit54.lua")
local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local arshift = bit.arshift
local BLOCK, CHANNELS, WAVE, DELAY = 512, 4, 1024, 3000
local SILENCE, GAIN, LOWPASS, CLIP = 0, 1, 2, 3

local function change(c)
  c.mode = rnd(5)
  c.left = 300 + rnd(3000)
  c.level = 64 + rnd(192)
  c.step = 40 + rnd(400)
end

local function mix(c, wave, out)
  for t = 0, BLOCK - 1 do
    if c.left == 0 then change(c) end
    c.left = c.left - 1
    c.phase = (c.phase + c.step) % 65536
    local x = wave[arshift(c.phase, 6)]
    if c.mode ~= SILENCE then
      if c.mode == GAIN then
        x = arshift(x * c.level, 8)
      elseif c.mode == LOWPASS then
        c.low = c.low + arshift((x - c.low) * c.level, 8)
        x = c.low
      elseif c.mode == CLIP then
        local limit = c.level * 40
        if x > limit then x = limit + arshift(x - limit, 2)
        elseif x < -limit then x = arshift(x + limit, 2) - limit
        end
      else
        x = arshift(x + c.delay[c.at], 1)
        c.delay[c.at] = x
        c.at = c.at + 1
        if c.at == DELAY then c.at = 0 end
      end
      out[t] = out[t] + x
    end
  end
end

local function bench(n)
  local wave, out, channels = {}, {}, {}
  for i = 0, WAVE - 1 do
    local half = i % 512
    local y = arshift(half * (512 - half) * 12000, 16)
    wave[i] = i < 512 and y or -y
  end
  for i = 0, CHANNELS - 1 do
    local delay = {}
    for k = 0, DELAY - 1 do delay[k] = 0 end
    channels[i] = { mode = 0, left = 0, level = 0, step = 0, phase = i * 9973, low = 0, at = 0, delay = delay }
  end
  local sum, saturated = 0, 0
  for _ = 1, n do
    for t = 0, BLOCK - 1 do out[t] = 0 end
    for i = 0, CHANNELS - 1 do mix(channels[i], wave, out) end
    for t = 0, BLOCK - 1 do
      local v = out[t]
      if v > 32767 then
        v = 32767
        saturated = saturated + 1
      elseif v < -32768 then
        v = -32768
        saturated = saturated + 1
      end
      sum = (sum * 31 + v) % 16777216
    end
  end
  return saturated * 16777216 + sum
end

print(string.format("%d", bench(tonumber(arg[1] or 150000))))
