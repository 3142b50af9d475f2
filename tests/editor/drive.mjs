// The past of the published example, as VS Code asks for it. Arguments: the command, a recording of MergeSort with detail=states, its source.
import assert from 'node:assert';
import path from 'node:path';
import { createRequire } from 'node:module';
import testsupport from '@vscode/debugadapter-testsupport';
import Ajv from 'ajv';
import * as schemas from 'typescript-json-schema';

const [command, trace, source] = process.argv.slice(2);
const require = createRequire(import.meta.url);

/** Says what of a message is not as the protocol's types have it. */
function validator() {
  const types = require.resolve('@vscode/debugprotocol/lib/debugProtocol.d.ts');
  const program = schemas.getProgramFromFiles([types], { strictNullChecks: true });
  const generator = schemas.buildGenerator(program, { required: true, noExtraProps: false, ignoreErrors: true });
  const known = new Map();
  const ajv = new Ajv({ strict: false });
  const of = (name) => {
    const symbol = generator.getSymbols().find((s) => s.name.split('.').pop() === name);
    assert(symbol, `the protocol has no ${name}`);
    return ajv.compile(generator.getSchemaForSymbol(symbol.name));
  };
  return (message) => {
    const kind = message.type === 'event' ? message.event : message.command;
    const failed = message.type === 'response' && !message.success;
    const suffix = message.type === 'event' ? 'Event' : 'Response';
    const name = failed ? 'ErrorResponse' : kind[0].toUpperCase() + kind.slice(1) + suffix;
    if (!known.has(name)) {
      known.set(name, of(name));
    }
    const check = known.get(name);
    assert(check(message), `${name}: ${JSON.stringify(check.errors)}\n${JSON.stringify(message)}`);
    return known.size;
  };
}

const valid = validator();
const wrong = { id: 'one', name: 'main' };
assert.throws(() => valid({ seq: 1, type: 'response', request_seq: 1, success: true, command: 'threads', body: { threads: [wrong] } }), /integer|number/);
const { DebugClient } = testsupport;
const client = new DebugClient(command, 'dap', 'jinsi');
client.defaultTimeout = 30000;
const dispatch = client.dispatch.bind(client);
let messages = 0;
client.dispatch = (body) => {
  valid(JSON.parse(body));
  messages += 1;
  dispatch(body);
};

/** Moves, and says why and where it stopped. */
async function go(request, more = {}) {
  const stopped = client.waitForEvent('stopped');
  await client.send(request, { threadId: 1, ...more });
  const { reason } = (await stopped).body;
  return [reason, (await top()).line];
}

async function top() {
  const stack = await client.stackTraceRequest({ threadId: 1, startFrame: 0, levels: 1 });
  return stack.body.stackFrames[0];
}

async function evaluate(expression) {
  const { id } = await top();
  return (await client.evaluateRequest({ expression, frameId: id, context: 'watch' })).body;
}

await client.start();
const able = await client.initializeRequest();
assert.equal(able.body.supportsStepBack, true);
const stopped = client.waitForEvent('stopped');
await Promise.all([
  client.launchRequest({ trace, at: '0:1', source: [path.dirname(source)] }),
  client.waitForEvent('initialized').then(async () => {
    const set = await client.setBreakpointsRequest({
      source: { path: source },
      breakpoints: [{ line: 12 }, { line: 4000 }],
    });
    assert.deepEqual(set.body.breakpoints.map((b) => b.verified), [true, false]);
    await client.setExceptionBreakpointsRequest({ filters: ['caught', 'uncaught'] });
    await client.configurationDoneRequest();
  }),
]);
assert.equal((await stopped).body.reason, 'entry');
await client.threadsRequest();

assert.deepEqual(await go('continue'), ['breakpoint', 12]);
assert.equal((await evaluate('a[la]')).result, '9');
const frame = await top();
assert.equal(frame.source.path, source);
const { scopes } = (await client.scopesRequest({ frameId: frame.id })).body;
for (const { variablesReference } of scopes) {
  const { variables } = (await client.variablesRequest({ variablesReference })).body;
  for (const inner of variables.filter((v) => v.variablesReference > 0)) {
    const below = await client.variablesRequest({ variablesReference: inner.variablesReference });
    for (const { valueLocationReference } of below.body.variables) {
      if (valueLocationReference) {
        await client.send('locations', { locationReference: valueLocationReference });
      }
    }
  }
}
await client.send('completions', { frameId: frame.id, text: 'l', column: 2 });
await client.send('stepInTargets', { frameId: frame.id });
const targets = await client.send('gotoTargets', { source: { path: source }, line: 10 });
assert(targets.body.targets.length > 0);

// A step back takes back a step.
for (const step of ['next', 'stepIn']) {
  const before = await top();
  await go(step);
  assert.deepEqual(await go('stepBack'), ['step', before.line]);
}
await go('next', { granularity: 'instruction' });
await go('stepBack', { granularity: 'instruction' });

// Who wrote the wrong value?
const info = await client.dataBreakpointInfoRequest({ name: 'c[2]', frameId: (await top()).id });
await client.setBreakpointsRequest({ source: { path: source }, breakpoints: [] });
await client.setDataBreakpointsRequest({ breakpoints: [{ dataId: info.body.dataId }] });
await client.setFunctionBreakpointsRequest({ breakpoints: [] });
assert.equal((await go('continue'))[0], 'data breakpoint');
assert.equal((await go('continue'))[0], 'pause');
assert.deepEqual(await go('reverseContinue'), ['data breakpoint', 12]);
assert.deepEqual(await go('reverseContinue'), ['data breakpoint', 10]);
await assert.rejects(client.send('setVariable', { variablesReference: 1, name: 'a', value: '1' }));
await assert.rejects(client.scopesRequest({ frameId: frame.id }));
await client.disconnectRequest({});
client.stopAdapter();
console.log(`${messages} messages are as the protocol has them`);
