/** What the run has made for all walks; undefined where a walk is run without it and makes everything itself. */
import { tmpdir } from 'node:os'
import { inject } from 'vitest'

export const commons = inject('walks')

/** Where pictures of failed walks are kept: they outlive the run. */
export const keptFolder = tmpdir()

// Profiles of browsers, downloads and data folders go with the folder of the run, however a worker ends.
if (commons) process.env.TMPDIR = commons.folder
