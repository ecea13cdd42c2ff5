/** What a script answered, as a value of ours. The text comes out of the sandbox: it is data, whatever it says. */

/** JSON.parse makes an own property of "__proto__"; code that copies objects later would take it for the prototype. */
const dropProto = (key: string, value: unknown) => (key === '__proto__' ? undefined : value)

export const readJson = (json: string): unknown =>
  json.includes('__proto__') || json.includes('\\u') ? JSON.parse(json, dropProto) : JSON.parse(json)

const isByte = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255

/** device-protocol.md 9: a number array becomes raw bytes, any other value its JSON. */
export function readBytes(value: unknown): { bytes: Uint8Array | undefined; fault: string } {
  if (!Array.isArray(value)) return { bytes: undefined, fault: '' }
  const wrong = value.findIndex((item) => !isByte(item))
  if (wrong < 0) return { bytes: Uint8Array.from(value), fault: '' }
  // Sending the JSON text of [1, 300] to a device that waits for bytes helps nobody.
  const meantBytes = value.every((item) => typeof item === 'number')
  return {
    bytes: undefined,
    fault: meantBytes ? `返回的数组第 ${wrong + 1} 个元素 ${value[wrong]} 不是 0–255 的整数，不能作为字节发送` : '',
  }
}
