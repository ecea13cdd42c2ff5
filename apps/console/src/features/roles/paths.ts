/** Addresses of the role screens, as the route table has them. */
export const roleListPath = '/systemMangers/role/index'
export const roleDetailPath = (id: number, tab?: 'members'): string =>
  `/systemMangers/role/detail/${id}${tab ? `?tab=${tab}` : ''}`
export const usersOfRolePath = (id: number): string => `/systemMangers/user/index?role=${id}`
