import { sceneVariables } from '@ithings/contract/rules/scene-notice.ts'
import { expect, test } from 'vitest'
import { unfilledNames } from './notify-step.tsx'

const variable = (name: string) => `$\{${name}}`

test('what a scene fills in needs no warning', () => {
  const content = sceneVariables.map(variable).join(' ')
  expect(unfilledNames({ title: variable('deviceName'), content })).toEqual([])
})

test('names of an alarm and of nobody are told once each, wherever they stand', () => {
  const content = `${variable('count')} ${variable('trigger')} ${variable('alarmName')} ${variable('count')}`
  expect(unfilledNames({ title: variable('level'), content })).toEqual(['level', 'count', 'alarmName'])
  expect(unfilledNames({ title: variable('temp'), content: '' })).toEqual(['temp'])
})
