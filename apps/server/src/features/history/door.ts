export { shapeOfProperty } from './find-devices.ts'
export { isStoredAgain, knowsEvent, makeRecentMessages } from './recent-messages.ts'
