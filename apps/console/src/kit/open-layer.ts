const layers = ['.ant-modal-wrap', '.ant-drawer-open', '.ant-select-open', '.ant-popover-open']
const closed = ':not([style*="display: none"])'

/** A dialog, drawer or list is open above the page: Escape belongs to it. */
export const isLayerOpen = (): boolean =>
  document.querySelector(layers.map((layer) => layer + closed).join(', ')) !== null
