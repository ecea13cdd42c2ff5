/** `${productID}`, `${deviceName}`, `${source}` and `${identifier}` in topics and keys. */
import type { ForwardMessage } from '#ports/forward-target.ts'

const place = /\$\{(productID|deviceName|source|identifier)\}/g

export const fillTemplate = (template: string, message: ForwardMessage): string =>
  template.replace(place, (_, name: 'productID' | 'deviceName' | 'source' | 'identifier') => message[name])
