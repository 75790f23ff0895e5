local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local N, K = 1000, 8

local function bench(n)
  local px, py, pz, cx, cy, cz, sx, sy, sz, count = {}, {}, {}, {}, {}, {}, {}, {}, {}, {}
  for i = 0, N - 1 do
    px[i] = rnd(1000) / 10 + i % 5 * 30
    py[i] = rnd(1000) / 10 + i % 3 * 40
    pz[i] = rnd(1000) / 10 + i % 2 * 50
  end
  for k = 0, K - 1 do cx[k], cy[k], cz[k] = px[k * 7], py[k * 7], pz[k * 7] end
  for r = 0, n - 1 do
    for k = 0, K - 1 do sx[k], sy[k], sz[k], count[k] = 0.0, 0.0, 0.0, 0 end
    for i = 0, N - 1 do
      local x, y, z, best, nearest = px[i], py[i], pz[i], 1e30, 0
      for k = 0, K - 1 do
        local dx, dy, dz = x - cx[k], y - cy[k], z - cz[k]
        local d = dx * dx + dy * dy + dz * dz
        if d < best then
          best = d
          nearest = k
        end
      end
      sx[nearest] = sx[nearest] + x
      sy[nearest] = sy[nearest] + y
      sz[nearest] = sz[nearest] + z
      count[nearest] = count[nearest] + 1
    end
    for k = 0, K - 1 do
      if count[k] > 0 then
        cx[k] = sx[k] / count[k]
        cy[k] = sy[k] / count[k]
        cz[k] = sz[k] / count[k]
      end
    end
    px[r % N] = px[r % N] + 0.5
  end
  local sum = 0.0
  for k = 0, K - 1 do sum = sum + (cx[k] + cy[k] + cz[k]) end
  return floor(sum * 1e6)
end

print(string.format("%d", bench(tonumber(arg[1] or 50000))))
