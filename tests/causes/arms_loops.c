#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct { uint8_t mem[4096], reg[16], screen[2048]; int stack[16], pc, sp; long timer; } Cpu;
static const int program[] = {
    0x6108, 0x6204, 0x6300, 0x7101, 0x8124, 0x7203, 0x8231, 0x2220, 0x4130, 0x6300, 0x1206, 0, 0, 0, 0, 0,
    0x7305, 0x8310, 0x3340, 0x7301, 0xF000, 0x7401, 0x9007, 0x00EE,
};
static void draw(Cpu *c, int x, int y) {
    int hit = 0;
    for (int r = 0; r < 3; r++) {
        int bits = c->mem[c->pc + r];
        for (int k = 0; k < 8; k++)
            if (bits >> (7 - k) & 1) {
                int at = (y + r) % 32 * 64 + (x + k) % 64;
                hit |= c->screen[at];
                c->screen[at] ^= 1;
            }
    }
    c->reg[15] = hit;
}
static void run(Cpu *c, int count) {
    uint8_t *mem = c->mem, *reg = c->reg;
    for (int cycle = 0; cycle < count; cycle++) {
        int op = mem[c->pc] << 8 | mem[c->pc + 1], x = op >> 8 & 15, y = op >> 4 & 15, nn = op & 255;
        c->pc += 2;
        switch (op >> 12) {
        case 0: if (nn == 0xEE) c->pc = c->stack[--c->sp]; break;
        case 1: c->pc = op & 0xFFF; break;
        case 2: c->stack[c->sp++] = c->pc; c->pc = op & 0xFFF; break;
        case 3: if (reg[x] == nn) c->pc += 2; break;
        case 4: if (reg[x] != nn) c->pc += 2; break;
        case 6: reg[x] = nn; break;
        case 7: reg[x] += nn; break;
        case 8: reg[x] = (op & 15) == 0 ? reg[y] : (op & 15) == 1 ? reg[x] ^ reg[y] : reg[x] + reg[y]; break;
        case 9: if ((reg[4] & 3) == 0) draw(c, reg[x], reg[y]); break;
        case 15: c->timer += reg[3]; break;
        default: abort();
        }
        if (cycle % 10 == 0 && c->timer > 0) c->timer--;
    }
}
static Cpu c;
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 150000; long sum = 0;
    c.pc = 0x200;
    for (int i = 0; i < 24; i++) { c.mem[0x200 + 2 * i] = program[i] >> 8; c.mem[0x201 + 2 * i] = program[i]; }
    for (int r = 0; r < n; r++) { run(&c, 1000); sum = (sum * 31 + c.reg[1] + c.pc) & 0xFFFFFF; }
    printf("%ld\n", sum + c.timer);
}
