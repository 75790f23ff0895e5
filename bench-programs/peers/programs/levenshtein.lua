local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local N = 500

local function distance(a, b, row)
  for j = 0, N do row[j] = j end
  for i = 1, N do
    local diag = row[0]
    row[0] = i
    for j = 1, N do
      local d = diag + (a[i - 1] ~= b[j - 1] and 1 or 0)
      diag = row[j]
      if diag + 1 < d then d = diag + 1 end
      if row[j - 1] + 1 < d then d = row[j - 1] + 1 end
      row[j] = d
    end
  end
  return row[N]
end

local function bench(n)
  local a, b, row, sum = {}, {}, {}, 0
  for i = 0, N - 1 do
    a[i] = rnd(4)
    b[i] = rnd(4)
  end
  for r = 0, n - 1 do
    a[r * 7 % N] = r % 4
    sum = sum + distance(a, b, row)
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 2200))))
