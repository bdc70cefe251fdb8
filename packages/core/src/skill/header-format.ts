/**
 * The version of what `parseSkill` makes of a header, for those that store its results. It is raised whenever the same
 * header gives another name, description, frontmatter or diagnostic; a test compares the results with those of the
 * version.
 */
export const HEADER_FORMAT = 1;
