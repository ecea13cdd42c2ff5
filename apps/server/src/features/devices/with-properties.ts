/** http-api.md 4.2: absent, no map; `[]`, all; a list, those. A device that reported nothing has an empty map. */
export const propertiesOf = (asked: string[] | undefined) => (asked === undefined ? {} : { withProperties: {} })
