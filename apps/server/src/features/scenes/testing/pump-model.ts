import type { ThingModel } from '@ithings/contract/thing-model/model.ts'

const common = { desc: '', required: false }
const flags = { isUseShadow: false, isNoRecord: false }

export const pumpModel: ThingModel = {
  properties: [
    {
      ...common,
      ...flags,
      identifier: 'power',
      name: '开关',
      mode: 'rw',
      define: { type: 'bool', mapping: { 0: '停', 1: '开' } },
    },
    {
      ...common,
      ...flags,
      identifier: 'speed',
      name: '转速',
      mode: 'rw',
      define: { type: 'int', min: '0', max: '3000', start: '0', step: '10', unit: 'rpm' },
    },
    {
      ...common,
      ...flags,
      identifier: 'temp',
      name: '温度',
      mode: 'r',
      define: { type: 'float', min: '-50', max: '200', start: '0', step: '0.1', unit: '℃' },
    },
    {
      ...common,
      ...flags,
      identifier: 'motor',
      name: '电机',
      mode: 'rw',
      define: {
        type: 'struct',
        specs: [
          {
            identifier: 'amps',
            name: '电流',
            dataType: { type: 'float', min: '0', max: '100', start: '0', step: '0.1', unit: 'A' },
          },
        ],
      },
    },
    {
      ...common,
      ...flags,
      identifier: 'samples',
      name: '采样',
      mode: 'rw',
      define: { type: 'array', arrayInfo: { type: 'int', min: '0', max: '9', start: '0', step: '1', unit: '' } },
    },
  ],
  events: [
    {
      ...common,
      identifier: 'leak',
      name: '漏水',
      type: 'alert',
      params: [
        {
          identifier: 'litres',
          name: '水量',
          define: { type: 'float', min: '0', max: '1000', start: '0', step: '0.1', unit: 'L' },
        },
      ],
    },
  ],
  actions: [
    {
      ...common,
      identifier: 'flush',
      name: '冲洗',
      dir: 'down',
      input: [
        {
          identifier: 'seconds',
          name: '时长',
          define: { type: 'int', min: '1', max: '60', start: '1', step: '1', unit: 's' },
        },
      ],
      output: [],
    },
    { ...common, identifier: 'help', name: '求助', dir: 'up', input: [], output: [] },
  ],
}
