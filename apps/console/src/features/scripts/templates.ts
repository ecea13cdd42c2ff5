/** Starter scripts: whole, runnable, and short enough to be read before they are changed. */
import { t } from '@ithings/contract/text.ts'

export interface ScriptTemplate {
  key: string
  name: string
  hint: string
  code: string
  /** A message to try it with. */
  trial: { direction: 'up' | 'down'; base: string; input: string }
}

const bytesReport = () => `// ${t('属性上报：把设备发来的字节解析成 JSON。')}
// ${t('示例帧：01 | 压力 2 字节，单位 0.01 MPa | 流量 2 字节，单位 0.1 m³/h | 水泵开关 1 字节')}
function thingPropertyUp(bytes) {
  if (bytes.length < 6 || bytes[0] !== 0x01) {
    throw new Error('${t('未知的帧：')}' + bytes.length + '${t(' 字节')}');
  }
  var view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    method: 'report',
    clientToken: String(Date.now()),
    params: {
      outlet_pressure: view.getUint16(1) / 100,
      flow_rate: view.getUint16(3) / 10,
      pump1_on: bytes[5] === 1
    }
  };
}
`

const jsonPass = () => `// ${t('JSON 透传：设备已经发送 JSON 文本，只改成平台的字段名。')}
function thingPropertyUp(bytes) {
  var text = '';
  for (var i = 0; i < bytes.length; i++) {
    text += '%' + ('0' + bytes[i].toString(16)).slice(-2);
  }
  var message = JSON.parse(decodeURIComponent(text));
  console.log('${t('收到')}', message);
  return {
    method: 'report',
    clientToken: String(message.id || Date.now()),
    params: message.data || message
  };
}
`

const downBytes = () => `// ${t('属性下发：把平台的 JSON 编成设备认识的字节。返回数组即按字节发送。')}
// ${t('示例帧：02 | 频率 2 字节 | 水泵开关 1 字节 | 校验和 1 字节')}
function thingPropertyDown(message) {
  // ${t('平台对上报的回复也经过这里：返回 null 就不发送。')}
  if (message.method !== 'control') return null;
  var params = message.params;
  var frequency = params.freq || 0;
  var frame = [0x02, (frequency >> 8) & 0xff, frequency & 0xff, params.pump1_on ? 1 : 0];
  var sum = frame.reduce(function (total, byte) { return total + byte; }, 0) & 0xff;
  return frame.concat(sum);
}
`

export const scriptTemplates: readonly ScriptTemplate[] = [
  {
    key: 'bytes',
    name: '字节上报',
    hint: '二进制帧 → 属性',
    get code() {
      return bytesReport()
    },
    trial: { direction: 'up', base: 'thingProperty', input: '01 00 2A 01 F4 01' },
  },
  {
    key: 'json',
    name: 'JSON 透传',
    hint: '自有 JSON → 属性',
    get code() {
      return jsonPass()
    },
    trial: {
      direction: 'up',
      base: 'thingProperty',
      input: '7b 22 69 64 22 3a 31 2c 22 64 61 74 61 22 3a 7b 22 66 72 65 71 22 3a 34 32 7d 7d',
    },
  },
  {
    key: 'down',
    name: '字节下发',
    hint: '属性 → 二进制帧',
    get code() {
      return downBytes()
    },
    trial: {
      direction: 'down',
      base: 'thingProperty',
      input: JSON.stringify({ method: 'control', clientToken: '7f3a', params: { freq: 42, pump1_on: true } }, null, 2),
    },
  },
]
