/** The guides in English, in a file of the build of their own: whoever reads Chinese never fetches it. */

import type { HelpPage } from '#kit/paths.ts'
import api from '../../../../../docs/en/api.md?raw'
import assistant from '../../../../../docs/en/assistant.md?raw'
import cli from '../../../../../docs/en/cli.md?raw'
import configuration from '../../../../../docs/en/configuration.md?raw'
import deployment from '../../../../../docs/en/deployment.md?raw'
import deviceGuide from '../../../../../docs/en/device-guide.md?raw'
import operatorGuide from '../../../../../docs/en/operator-guide.md?raw'

export const guideTexts = {
  'operator-guide': operatorGuide,
  'device-guide': deviceGuide,
  api,
  assistant,
  cli,
  deployment,
  configuration,
} satisfies Record<HelpPage, string>
