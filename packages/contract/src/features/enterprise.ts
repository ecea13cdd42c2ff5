/** Paths of the public contract that this product answers with a refusal only (decisions.md 1). */
import { type CatalogueError, errors } from '../errors.ts'

const enterprisePaths = [
  ...['create', 'update', 'index', 'read', 'delete'].map((verb) => `/api/v1/system/project/info/${verb}`),
  ...['create', 'update', 'tree', 'read', 'delete', 'index'].map((verb) => `/api/v1/system/area/info/${verb}`),
  ...['multi-update', 'index', 'delete'].map((verb) => `/api/v1/system/dataAuth/${verb}`),
]

const unrealizedPaths = ['/api/v1/system/user/register1', '/api/v1/system/user/register2']

export const refusedPaths: ReadonlyMap<string, CatalogueError> = new Map<string, CatalogueError>([
  ...enterprisePaths.map((path) => [path, errors.enterprise] as const),
  ...unrealizedPaths.map((path) => [path, errors.notRealized] as const),
])
