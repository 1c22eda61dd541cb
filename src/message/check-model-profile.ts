import { InvalidArgumentError } from "../errors.ts";
import { plainObject, type OptionCheck } from "../util/check-options.ts";
import { modelProfiles } from "./model-profiles.ts";

/** Rules of a wire with none missing: what is not said would be taken for a no. */
export const checkModelProfile: OptionCheck = (value, argument) => {
  plainObject(value, argument);
  // plainObject has checked that it is an object.
  const missing = Object.keys(modelProfiles.default).filter((rule) => !(rule in (value as object)));
  if (missing.length > 0) throw new InvalidArgumentError(argument, `it lacks ${missing.join(", ")}. Spread one of modelProfiles, e.g. { ...modelProfiles.openaiCompatible, … }.`);
};
