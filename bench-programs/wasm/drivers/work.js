// Numbers, arrays, maps, strings and closures, as scripts use them.
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

function sieve(limit) {
    const composite = new Uint8Array(limit + 1);
    let count = 0;
    for (let n = 2; n <= limit; n++) {
        if (composite[n]) continue;
        count++;
        for (let multiple = n * n; multiple <= limit; multiple += n) composite[multiple] = 1;
    }
    return count;
}

function queens(size) {
    const columns = [], up = [], down = [];
    let count = 0;
    const place = (row) => {
        if (row === size) { count++; return; }
        for (let column = 0; column < size; column++) {
            if (columns[column] || up[row + column] || down[row - column + size]) continue;
            columns[column] = up[row + column] = down[row - column + size] = true;
            place(row + 1);
            columns[column] = up[row + column] = down[row - column + size] = false;
        }
    };
    place(0);
    return count;
}

function words(count) {
    const seen = new Map();
    let state = 1;
    for (let at = 0; at < count; at++) {
        state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
        const word = "w" + ((state >> 16) % 500);
        seen.set(word, (seen.get(word) ?? 0) + 1);
    }
    return [...seen].map(([word, times]) => `${word}=${times}`).sort().join(",").length;
}

function matrix(size) {
    const rows = (of) => Array.from({ length: size }, (_, row) => Array.from({ length: size }, (_, column) => of(row, column)));
    const a = rows((row, column) => row + column), b = rows((row, column) => (row - column) / size);
    let sum = 0;
    for (let row = 0; row < size; row++) {
        for (let column = 0; column < size; column++) {
            let cell = 0;
            for (let k = 0; k < size; k++) cell += a[row][k] * b[k][column];
            sum += cell;
        }
    }
    return sum.toFixed(3);
}

for (let round = 1; round <= size; round++) print(round, fib(20), sieve(30000), queens(6), words(10000), matrix(50));
