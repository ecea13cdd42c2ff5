import type { ThingModel } from '@ithings/contract/thing-model/model.ts'

const common = { desc: '', required: false }
const flags = { isUseShadow: false, isNoRecord: false }

/** A pump for tests: one value to read, one to set, one action. */
export const pumpModel: ThingModel = {
  properties: [
    {
      ...common,
      ...flags,
      identifier: 'level',
      name: '液位',
      mode: 'r',
      define: { type: 'float', min: '0', max: '6' },
    },
    {
      ...common,
      ...flags,
      identifier: 'freq',
      name: '频率',
      mode: 'rw',
      define: { type: 'float', min: '0', max: '50', step: '0.5', unit: 'Hz' },
    },
  ],
  events: [],
  actions: [
    {
      ...common,
      identifier: 'flush',
      name: '反冲洗',
      dir: 'down',
      input: [{ identifier: 'seconds', name: '时长', define: { type: 'int', min: '1', max: '600' } }],
      output: [],
    },
  ],
}
