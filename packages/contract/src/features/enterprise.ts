/** Paths of the public contract that this product answers with a refusal only (decisions.md 1). */
import { type CatalogueError, errors } from '../errors.ts'

const enterprisePaths = [
  '/api/v1/system/project/info/create',
  '/api/v1/system/project/info/update',
  '/api/v1/system/project/info/index',
  '/api/v1/system/project/info/read',
  '/api/v1/system/project/info/delete',
  '/api/v1/system/area/info/create',
  '/api/v1/system/area/info/update',
  '/api/v1/system/area/info/tree',
  '/api/v1/system/area/info/read',
  '/api/v1/system/area/info/delete',
  '/api/v1/system/area/info/index',
  '/api/v1/system/dataAuth/multi-update',
  '/api/v1/system/dataAuth/index',
  '/api/v1/system/dataAuth/delete',
]

const unrealizedPaths = ['/api/v1/system/user/register1', '/api/v1/system/user/register2']

export const refusedPaths: ReadonlyMap<string, CatalogueError> = new Map<string, CatalogueError>([
  ...enterprisePaths.map((path) => [path, errors.enterprise] as const),
  ...unrealizedPaths.map((path) => [path, errors.notRealized] as const),
])
