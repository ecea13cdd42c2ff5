export { shapeOfProperty } from './find-devices.ts'
export { knowsEvent, makeRecentMessages } from './recent-messages.ts'
