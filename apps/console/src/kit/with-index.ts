/** Items without a name of their own, for lists that are only read: their place is their key. */
export const withIndex = <T>(list: readonly T[]): { no: number; item: T }[] => list.map((item, no) => ({ no, item }))
