import { expect, test } from 'vitest'
import { fillTemplate, unknownNames } from './notice-template.ts'

test('known names are filled in, each time they stand there', () => {
  const text = fillTemplate(`\${deviceName} 温度过高（\${level}），\${deviceName}`, {
    deviceName: 'pump-1',
    level: '严重',
  })
  expect(text).toBe('pump-1 温度过高（严重），pump-1')
})

test('unknown names, names without a value and half written ones stay as they are', () => {
  const template = `\${nobody} \${level} \${} \${ time } $time \${constructor} \${toString`
  expect(fillTemplate(template, { level: undefined })).toBe(template)
})

test('what is filled in is not a template again', () => {
  expect(fillTemplate(`\${trigger}`, { trigger: `\${level} $& $1`, level: 'x' })).toBe(`\${level} $& $1`)
})

test('an empty value is filled in', () => {
  expect(fillTemplate(`[\${deviceAlias}]`, { deviceAlias: '' })).toBe('[]')
})

test('names that mean nothing are told once each, half written ones are not meant as names', () => {
  const template = `\${x}\${x}\${level}\${}\${ time }\${constructor} \${half`
  expect(unknownNames(template, { level: '', time: '' })).toEqual(['x', '', ' time ', 'constructor'])
})
