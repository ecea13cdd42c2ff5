import { otaStage } from '@ithings/contract/features/ota/task.ts'
import { expect, test } from 'vitest'
import { withStage } from './stages-editor.tsx'
import { usualStages } from './task-draft.ts'

test('an added stage stands between the last two, and the last stays 100', () => {
  const stages = withStage(usualStages)
  expect(stages.map(({ percent }) => percent)).toEqual([1, 10, 55, 100])
  expect(stages.every((stage) => otaStage.safeParse(stage).success)).toBe(true)
})
