import { describe, expect, test } from 'vitest'
import { formParts, frameParts, sharedParts, startParts } from './parts.ts'

const spelled = (path: string) => [`/home/li/core/${path}`, `C:\\li\\core\\${path.replaceAll('/', '\\')}`]

describe.each([
  [
    'form',
    formParts,
    [
      'node_modules/antd/es/form/Form.js',
      'node_modules/antd/es/input/Password.js',
      'node_modules/@rc-component/async-validator/es/index.js',
      'node_modules/@ant-design/icons/es/icons/MoonOutlined.js',
      'apps/console/src/kit/use-phone.ts',
    ],
    ['node_modules/antd/es/table/Table.js', 'node_modules/antd/es/input/Search.js', 'apps/console/src/kit/form.tsx'],
  ],
  [
    'frame',
    frameParts,
    ['apps/console/src/app/dialogs.tsx', 'apps/console/src/app/shell/sider.tsx'],
    ['apps/console/src/app/shell/shell.tsx', 'apps/console/src/app/dialogs.css'],
  ],
  [
    'shared',
    sharedParts,
    [
      'node_modules/@ant-design/icons/es/icons/PlusOutlined.js',
      'packages/contract/src/features/devices/info.ts',
      'apps/console/src/kit/status-tag.tsx',
    ],
    ['node_modules/antd/es/tabs/index.js', 'node_modules/dayjs/esm/index.js'],
  ],
  [
    'start',
    startParts,
    ['node_modules/antd/es/button/Button.js', 'apps/console/src/main.tsx'],
    ['node_modules/antd/es/collapse/Collapse.js', 'node_modules/@rc-component/collapse/es/Panel.js'],
  ],
])('the file %s', (_name, pattern, within, without) => {
  test.each(within.flatMap(spelled))('holds %s', (path) => expect(pattern.test(path)).toBe(true))
  test.each(without.flatMap(spelled))('does not hold %s', (path) => expect(pattern.test(path)).toBe(false))
})
