local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local N = 128
local CELLS = N * N

local function generation(g, o)
  for y = 0, N - 1 do
    local up, row, down = (y + N - 1) % N * N, y * N, (y + 1) % N * N
    for x = 0, N - 1 do
      local l, r = (x + N - 1) % N, (x + 1) % N
      local s = g[up + l] + g[up + x] + g[up + r] + g[row + l] + g[row + r]
        + g[down + l] + g[down + x] + g[down + r]
      o[row + x] = (s == 3 or s == 2 and g[row + x] == 1) and 1 or 0
    end
  end
end

local function bench(n)
  local grids, current, sum = { [0] = {}, {} }, 0, 0
  for i = 0, CELLS - 1 do
    grids[0][i] = rnd(3) == 0 and 1 or 0
    grids[1][i] = 0
  end
  for r = 0, n - 1 do
    generation(grids[current], grids[1 - current])
    current = 1 - current
    grids[current][r * 131 % CELLS] = 1
  end
  local last = grids[current]
  for i = 0, CELLS - 1 do sum = sum + last[i] * (i % 101 + 1) end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 9000))))
