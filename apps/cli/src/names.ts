/** Names of commands and flags: as in the contract, in the spelling of a command line. */
import type { Endpoint } from '@ithings/contract/endpoint.ts'

/** productIDs becomes product-ids, multiUpdate multi-update. */
export const kebab = (name: string): string =>
  name
    .replace(/IDs/g, 'Ids')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()

/** /api/v1/things/device/info/index is `device info index`: what is in front says nothing to people. */
export const wordsOf = ({ path }: Pick<Endpoint, 'path'>): string[] =>
  path
    .replace(/^\/api\/v1\/(things\/|system\/)?/, '')
    .split('/')
    .map(kebab)
