import type { MountedEndpoint } from '#http/route.ts'
import type { ProductsKit } from '../products-kit.ts'

export const customRoutes = (_kit: ProductsKit): MountedEndpoint[] => []
