/** A fleet as a JSON file: `{ "models": { productID: model }, "devices": [{ productID, deviceName, secret, ... }] }`. */
import { isRecord } from '@ithings/contract/is-record.ts'
import { t } from '@ithings/contract/text.ts'
import { type Member, readModel } from './platform-api.ts'

const textAt = (row: Record<string, unknown>, key: string, where: string): string => {
  const value = row[key]
  if (typeof value !== 'string' || value === '') throw new Error(t('{where} 缺少 {key}', { where, key }))
  return value
}

export function readFleetFile(text: string): Member[] {
  const file: unknown = JSON.parse(text)
  if (!isRecord(file) || !isRecord(file.models) || !Array.isArray(file.devices)) {
    throw new Error(t('文件须为 {shape}', { shape: '{"models": {productID: {…}}, "devices": […]}' }))
  }
  const models = new Map(
    Object.entries(file.models).map(([productID, model]) => [productID, readModel(JSON.stringify(model), productID)]),
  )
  const memberOf = (row: unknown, where: string): Member => {
    if (!isRecord(row)) throw new Error(t('{where} 须为对象', { where }))
    const device = {
      productID: textAt(row, 'productID', where),
      deviceName: textAt(row, 'deviceName', where),
      secret: textAt(row, 'secret', where),
    }
    const model = models.get(device.productID)
    if (!model) throw new Error(t('{where} 的产品 {productID} 没有物模型', { where, productID: device.productID }))
    const children = Array.isArray(row.children)
      ? row.children.map((child, i) => memberOf(child, `${where}.children[${i}]`))
      : undefined
    return { device, model, ...(children && { children }) }
  }
  return file.devices.map((row, i) => memberOf(row, `devices[${i}]`))
}
