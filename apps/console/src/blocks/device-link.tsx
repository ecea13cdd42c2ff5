import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Copyable } from '#kit/copyable.tsx'
import { deviceDetailPath, productPath } from '#kit/paths.ts'
import { useMemo } from '#language/use-memo.ts'

interface Key {
  productID: string
  deviceName: string
}

/** The name of a device as a link to it; what people call it stands in the letters of words. */
export function DeviceLink({ device, children }: { device: Key; children?: ReactNode }) {
  const to = useMemo(() => deviceDetailPath(device), [device])
  return (
    <Copyable text={device.deviceName}>
      <Link to={to} className={children ? 'device-words' : ''}>
        {children ?? device.deviceName}
      </Link>
    </Copyable>
  )
}

interface ProductLinkProps {
  of: { productID: string; productName: string }
  className?: string
}

/** The product of a device, by its name. */
export const ProductLink = ({ of: { productID, productName }, className = '' }: ProductLinkProps) => (
  <Link className={className} to={productPath(productID)}>
    {productName || productID}
  </Link>
)
