export {
  bindChildren,
  describeChildren,
  type GatewayRef,
  ownChildren,
  registerChildren,
  unbindChildren,
} from './gateway-messages.ts'
