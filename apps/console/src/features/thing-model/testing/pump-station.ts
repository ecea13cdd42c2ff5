/** A believable model: an integrated pump station with all eight types, two events and two actions. */
const float = (min: string, max: string, step: string, unit: string) => ({
  type: 'float',
  min,
  max,
  start: min,
  step,
  unit,
})
const common = (identifier: string, name: string, desc = '') => ({ identifier, name, desc, required: false })
const property = (identifier: string, name: string, mode: 'r' | 'rw', define: object, desc = '') => ({
  ...common(identifier, name, desc),
  mode,
  define,
  isUseShadow: mode === 'rw',
  isNoRecord: false,
})
const amps = (identifier: string, name: string) => ({ identifier, name, dataType: float('0', '400', '0.1', 'A') })

const model = {
  version: '',
  properties: [
    property('outlet_pressure', '出水压力', 'r', float('0', '1.6', '0.01', 'MPa')),
    property('flow_rate', '瞬时流量', 'r', float('0', '500', '0.1', 'm³/h')),
    property(
      'run_mode',
      '运行模式',
      'rw',
      { type: 'enum', mapping: { 0: '手动', 1: '自动', 2: '检修' } },
      '泵站控制权归属',
    ),
    property('pump1_on', '1 号泵', 'rw', { type: 'bool', mapping: { 0: '停止', 1: '运行' } }),
    property('freq', '变频频率', 'rw', { type: 'int', min: '0', max: '50', start: '0', step: '1', unit: 'Hz' }),
    property('site_name', '站点名称', 'rw', { type: 'string', max: '64' }),
    property('last_maint', '上次检修', 'rw', { type: 'timestamp' }),
    property('phase_current', '三相电流', 'r', {
      type: 'struct',
      specs: [
        amps('ia', 'A 相'),
        amps('ib', 'B 相'),
        amps('ic', 'C 相'),
        {
          identifier: 'peaks',
          name: '峰值',
          dataType: { type: 'array', arrayInfo: { type: 'struct', specs: [amps('value', '电流')] } },
        },
      ],
    }),
    property('pump_speeds', '泵组转速', 'r', {
      type: 'array',
      arrayInfo: { type: 'int', min: '0', max: '3000', start: '0', step: '1', unit: 'rpm' },
    }),
  ],
  events: [
    {
      ...common('level_high', '液位超限'),
      type: 'alert',
      params: [
        { identifier: 'level', name: '液位', define: float('0', '6', '0.01', 'm') },
        { identifier: 'pump', name: '泵号', define: { type: 'enum', mapping: { 1: '1 号泵', 2: '2 号泵' } } },
      ],
    },
    { ...common('power_lost', '市电中断'), type: 'fault', params: [] },
  ],
  actions: [
    {
      ...common('start_pump', '启动水泵'),
      dir: 'down',
      input: [
        { identifier: 'pump', name: '泵号', define: { type: 'enum', mapping: { 1: '1 号泵', 2: '2 号泵' } } },
        {
          identifier: 'delay',
          name: '延时',
          define: { type: 'int', min: '0', max: '600', start: '0', step: '1', unit: 's' },
        },
      ],
      output: [{ identifier: 'started', name: '是否启动', define: { type: 'bool', mapping: { 0: '否', 1: '是' } } }],
    },
    {
      ...common('ask_time', '请求对时'),
      dir: 'up',
      input: [],
      output: [{ identifier: 'now', name: '时间', define: { type: 'timestamp' } }],
    },
  ],
  profile: { productID: '' },
}

export const pumpStation = JSON.stringify(model)
