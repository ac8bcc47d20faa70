import { describe, expect, test } from 'vitest';
import {
  incrementName,
  incrementSubject,
  parseTaskCheckpoint,
  renderCommittedTask,
  renderIncrement,
  renderTaskCheckpoint,
  sequenceOf,
  taskDir,
  taskSubject,
} from './task-files.ts';

const id = 'toolu_01abcdefgh';

describe('subjects, byte for byte', () => {
  test.each([
    ['dev', 'Add tests', "Completed 'dev' agent: Add tests (toolu_01abcd)"],
    ['dev', '', "Completed 'dev' agent (toolu_01abcd)"],
    ['', 'Add tests', 'Completed agent: Add tests (toolu_01abcd)'],
    ['', '', 'Task: toolu_01abcd'],
    ['', 'x'.repeat(60), `Completed agent: ${'x'.repeat(60)} (toolu_01abcd)`],
    ['', 'x'.repeat(61), `Completed agent: ${'x'.repeat(57)}... (toolu_01abcd)`],
  ])('type %j, description %j', (type, description, subject) => {
    expect(taskSubject(type, description, id)).toBe(subject);
  });

  test('a short id stays whole', () => {
    expect(taskSubject('', '', 't1')).toBe('Task: t1');
  });

  test('incremental: what was done last, else the number', () => {
    expect(incrementSubject('Write a.txt', 3, id)).toBe('Write a.txt (toolu_01abcd)');
    expect(incrementSubject('', 3, id)).toBe('Checkpoint #3: toolu_01abcd');
  });

  test('cut between code points', () => {
    const subject = taskSubject('', 'ü'.repeat(40), id);
    expect(subject).toBe(`Completed agent: ${'ü'.repeat(28)}... (toolu_01abcd)`);
  });

  test('a text of several lines neither ends the subject nor begins a trailer', () => {
    expect(taskSubject('a\n\nb', 'x\n\nEntire-Session: other', id)).toBe(
      "Completed 'a b' agent: x Entire-Session: other (toolu_01abcd)",
    );
  });
});

describe('checkpoint.json', () => {
  const task = { sessionId: 's1', toolUseId: 'toolu_1', checkpointUuid: 'u1', agentId: 'a1' };

  test('on a shadow branch: four keys, no newline at the end', () => {
    expect(renderTaskCheckpoint(task)).toBe(
      '{\n  "session_id": "s1",\n  "tool_use_id": "toolu_1",\n  "checkpoint_uuid": "u1",\n  "agent_id": "a1"\n}',
    );
    expect(renderTaskCheckpoint({ ...task, checkpointUuid: '', agentId: '' })).toBe(
      '{\n  "session_id": "s1",\n  "tool_use_id": "toolu_1",\n  "checkpoint_uuid": "",\n  "agent_id": ""\n}',
    );
  });

  test('committed: no empty agent, a newline at the end', () => {
    expect(renderCommittedTask({ ...task, agentId: '' })).toBe(
      '{\n  "session_id": "s1",\n  "tool_use_id": "toolu_1",\n  "checkpoint_uuid": "u1"\n}\n',
    );
  });

  test('both forms are read; anything else is none', () => {
    for (const one of [task, { ...task, agentId: '' }])
      for (const render of [renderTaskCheckpoint, renderCommittedTask])
        expect(parseTaskCheckpoint(render(one))).toEqual(one);
    for (const text of ['', '{', 'null', '[]', '{"session_id":7}', '{"session_id":"s1"}'])
      expect(parseTaskCheckpoint(text)).toBeUndefined();
  });
});

test('an incremental checkpoint is pretty JSON', () => {
  const increment = { tool: 'TodoWrite', toolUseId: 'toolu_1', timestamp: '2026-02-10T12:00:00.5Z' };
  expect(renderIncrement({ ...increment, data: { todos: [{ content: '<a>' }] } })).toBe(`{
  "type": "TodoWrite",
  "tool_use_id": "toolu_1",
  "timestamp": "2026-02-10T12:00:00.5Z",
  "data": {
    "todos": [
      {
        "content": "\\u003ca\\u003e"
      }
    ]
  }
}
`);
  expect(renderIncrement({ ...increment, data: undefined })).toContain('\n  "data": null\n}\n');
});

test('numbers have three digits, or more', () => {
  expect(incrementName(7, 'toolu_1')).toBe('checkpoints/007-toolu_1.json');
  expect(incrementName(1234, 'toolu_1')).toBe('checkpoints/1234-toolu_1.json');
  const dir = taskDir('s1', 'toolu_1');
  expect(dir).toBe('.entire/metadata/s1/tasks/toolu_1');
  expect(sequenceOf(`${dir}/checkpoints/012-toolu_1.json`)).toBe(12);
  expect(sequenceOf(`${dir}/checkpoint.json`)).toBe(0);
  expect(sequenceOf(`${dir}/checkpoints/x-toolu_1.json`)).toBe(0);
});
