// Numbers from the same operations that differ in a leaf by 10^-90, and rewritings of a number: node equal_numbers.mjs SEED ROUNDS OLD NEW
// counts what the page's script calls equal; OLD is replaced by NEW in it, to see that an error is found.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const [seedText, rounds, old = "", planted = ""] = process.argv.slice(2);
const asset = (name) => readFileSync(new URL(`../../symtransformer/rendering/assets/${name}`, import.meta.url), "utf8");
const text = `${asset("numbers.js")}\n${asset("forms.js")}`.replaceAll('"use strict";', "");
if (!text.includes(old)) throw new Error(`not in the scripts: ${old}`);
const choose = "(k) => { N = NUMBERS[k]; F.forget(); return N; }";
const { F, Undefined, use } = vm.runInNewContext(`${text.replace(old, planted)}\n({ F, Undefined, use: ${choose} })`);

let state = Number(seedText);
const below = (n) => Math.floor(((state = (state * 1103515245 + 12345) % 2 ** 31) / 2 ** 31) * n);
const NAMES = ["add", "add", "add", "multiply", "multiply", "divide", "divide", "exp", "exp", "sqrt"];

function drawn() {
  const leaves = Array.from({ length: 3 + below(3) }, () => ["leaf", below(7) - 3, 1 + below(3)]);
  const operations = Array.from({ length: 6 + below(14) }, (_, k) => [NAMES[below(NAMES.length)], below(leaves.length + k), below(leaves.length + k)]);
  return { leaves: leaves.length, operations: [...leaves, ...operations] };
}

function computed(N, operations, moved) {
  const values = [];
  for (const [k, [name, a, b]] of operations.entries()) {
    if (name === "leaf") {
      const leaf = N.rational(BigInt(a), BigInt(b));
      values.push(k === moved ? N.add(leaf, N.rational(1n, 10n ** 90n)) : leaf);
      continue;
    }
    const ball = N.ballOf(values[a]);
    if (name === "exp" && N.lengthOf(ball.m) + ball.p > 6) throw new Undefined("large");
    values.push(name === "exp" || name === "sqrt" ? N[name](values[a]) : N[name](values[a], values[b]));
  }
  return values;
}

const counts = { near: 0, nearCalledEqual: 0, rewritten: 0, proved: 0 };
for (let round = 0; round < Number(rounds); round += 1) {
  const { leaves, operations } = drawn(), moved = below(leaves), at = operations.length - 1 - below(4), other = below(operations.length);
  try {
    const long = use(1), [exact, near] = [undefined, moved].map((k) => computed(long, operations, k)[at]);
    const differ = long.ballOf(long.subtract(exact, near)), size = differ.m < 0n ? -differ.m : differ.m;
    const N = use(0), values = computed(N, operations), number = values[at];
    if (size > differ.r) {  // by balls of 1024 bits
      counts.near += 1;
      if (F.equal(number, computed(N, operations, moved)[at])) counts.nearCalledEqual += 1;
    }
    const factor = values[other], ball = N.ballOf(factor);
    if ((ball.m < 0n ? -ball.m : ball.m) <= ball.r) continue;
    counts.rewritten += 1;  // (a c + b c) / c - b is a
    const b = values[below(values.length)], sum = N.add(N.multiply(number, factor), N.multiply(b, factor));
    if (F.equal(N.subtract(N.divide(sum, factor), b), number)) counts.proved += 1;
  } catch (error) {
    if (!(error instanceof Undefined)) throw error;
  }
}
console.log(JSON.stringify(counts));
