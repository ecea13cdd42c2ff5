export { knowsEvent, makeRecentMessages } from './recent-messages.ts'
