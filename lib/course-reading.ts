import { Duration } from "aws-cdk-lib";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import type { CourseMirror } from "./course-mirror.ts";
import { pipelineFunction } from "./pipeline-function.ts";
import type { StageSettings } from "./settings.ts";

/** What reading clubs and courses is given. */
export interface CourseReadingProps {
  readonly settings: StageSettings;
  readonly mirror: CourseMirror;
}

/** Where a vendor reads clubs and courses, through the same paths as at the union. */
export class CourseReading extends Construct {
  readonly readCourses: LambdaFunction;

  constructor(scope: Construct, id: string, { settings, mirror }: CourseReadingProps) {
    super(scope, id);
    this.readCourses = pipelineFunction(this, "read-courses", settings, {
      description: "Answers with the mirrored clubs and courses",
      timeout: Duration.seconds(15),
      // Twice what the lists of 16,000 clubs take, and what it keeps of their courses.
      memorySize: 1536,
      environment: {
        COURSE_TABLE: mirror.courses.tableName,
        CLUB_TABLE: mirror.clubs.tableName,
        TIME_ZONE: settings.timeZone,
      },
    });
    mirror.grantRead(this.readCourses);
  }
}
