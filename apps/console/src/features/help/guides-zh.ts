/** The guides in Chinese, all in one file of the build: the search reads them all, and few files keep the start small. */

import type { HelpPage } from '#kit/paths.ts'
import api from '../../../../../docs/api.md?raw'
import assistant from '../../../../../docs/assistant.md?raw'
import cli from '../../../../../docs/cli.md?raw'
import configuration from '../../../../../docs/configuration.md?raw'
import deployment from '../../../../../docs/deployment.md?raw'
import deviceGuide from '../../../../../docs/device-guide.md?raw'
import operatorGuide from '../../../../../docs/operator-guide.md?raw'

export const guideTexts = {
  'operator-guide': operatorGuide,
  'device-guide': deviceGuide,
  api,
  assistant,
  cli,
  deployment,
  configuration,
} satisfies Record<HelpPage, string>
