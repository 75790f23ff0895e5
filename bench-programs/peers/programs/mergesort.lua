local bit = bit or dofile((arg[0]:match("^(.*/)") or "") .. "../lib/bit54.lua")
local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local band, bxor = bit.band, bit.bxor
local N = 20000

local function sort(a, tmp, lo, hi)
  if hi - lo < 2 then return end
  local mid = floor((lo + hi) / 2)
  sort(a, tmp, lo, mid)
  sort(a, tmp, mid, hi)
  local i, j, k = lo, mid, lo
  while i < mid and j < hi do
    if a[i] <= a[j] then
      tmp[k] = a[i]
      i = i + 1
    else
      tmp[k] = a[j]
      j = j + 1
    end
    k = k + 1
  end
  while i < mid do
    tmp[k] = a[i]
    i = i + 1
    k = k + 1
  end
  while j < hi do
    tmp[k] = a[j]
    j = j + 1
    k = k + 1
  end
  for m = lo, hi - 1 do a[m] = tmp[m] end
end

local function bench(n)
  local source, a, tmp, sum = {}, {}, {}, 0
  for i = 0, N - 1 do source[i], a[i], tmp[i] = rnd(1000000), 0, 0 end
  for r = 0, n - 1 do
    local flip = band(r, 1023)
    for i = 0, N - 1 do a[i] = bxor(source[i], flip) end
    sort(a, tmp, 0, N)
    sum = sum + a[r * 37 % N]
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 350))))
