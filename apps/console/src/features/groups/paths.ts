/** Addresses of the group screens, as the route table has them. */
export const groupListPath = '/deviceMangers/group/index'
export const groupDetailPath = (groupID: string): string => `/deviceMangers/group/detail/${groupID}`
/** The tree with this group beside it. */
export const groupInTreePath = (groupID: string): string => `${groupListPath}?id=${groupID}`
