-- Numbers, tables, strings and closures, as scripts use them.
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end

local function sieve(limit)
    local composite, count = {}, 0
    for n = 2, limit do
        if not composite[n] then
            count = count + 1
            for multiple = n * n, limit, n do composite[multiple] = true end
        end
    end
    return count
end

local function queens(size)
    local columns, up, down, count = {}, {}, {}, 0
    local function place(row)
        if row > size then count = count + 1 return end
        for column = 1, size do
            if not columns[column] and not up[row + column] and not down[row - column] then
                columns[column], up[row + column], down[row - column] = true, true, true
                place(row + 1)
                columns[column], up[row + column], down[row - column] = nil, nil, nil
            end
        end
    end
    place(1)
    return count
end

local function words(count)
    local seen, state = {}, 1
    for _ = 1, count do
        state = (state * 1103515245 + 12345) % 2147483648
        local word = string.format("w%d", state // 65536 % 500)
        seen[word] = (seen[word] or 0) + 1
    end
    local list = {}
    for word, times in pairs(seen) do list[#list + 1] = word .. "=" .. times end
    table.sort(list)
    return #table.concat(list, ",")
end

local function matrix(size)
    local a, b, sum = {}, {}, 0.0
    for row = 1, size do
        a[row], b[row] = {}, {}
        for column = 1, size do a[row][column], b[row][column] = row + column, (row - column) / size end
    end
    for row = 1, size do
        for column = 1, size do
            local cell = 0.0
            for k = 1, size do cell = cell + a[row][k] * b[k][column] end
            sum = sum + cell
        end
    end
    return string.format("%.3f", sum)
end

for round = 1, size do
    print(round, fib(22), sieve(30000), queens(6), words(10000), matrix(50))
end
