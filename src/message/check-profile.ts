import { InvalidArgumentError } from "../errors.ts";
import { plainObject, type OptionCheck } from "../util/check-options.ts";
import { modelProfiles } from "./model-profiles.ts";

/** Refuses wire rules that are incomplete: a rule that is missing would count as one that nobody needs. */
export const checkProfile: OptionCheck = (value, argument) => {
  plainObject(value, argument);
  // plainObject has checked that it is an object.
  const missing = Object.keys(modelProfiles.default).filter((rule) => !(rule in (value as object)));
  if (missing.length > 0) throw new InvalidArgumentError(argument, `it lacks ${missing.join(", ")}. Spread one of modelProfiles, e.g. { ...modelProfiles.openaiCompatible, … }.`);
};
